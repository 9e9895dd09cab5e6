// Branded ids: a task id can't be passed where a column id is wanted.
declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

export type ProjectId = Branded<number, "ProjectId">;
export type TaskId = Branded<number, "TaskId">;
export type ColumnId = Branded<number, "ColumnId">;
export type SwimlaneId = Branded<number, "SwimlaneId">;
export type UserId = Branded<number, "UserId">;
export type TagId = Branded<number, "TagId">;
export type CommentId = Branded<number, "CommentId">;
export type FileId = Branded<number, "FileId">;
/** Number of a ledger slot; the epoch of a claim is its fencing token. */
export type Epoch = Branded<number, "Epoch">;
/** Random text that tells one claim from every other, 10 characters of base36. */
export type Nonce = Branded<string, "Nonce">;
