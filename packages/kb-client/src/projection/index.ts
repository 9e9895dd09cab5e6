// The card as a projection of the ledger, and what a person's hand on it means.
export * from "./card-fields.ts";
export * from "./comments.ts";
export * from "./gestures.ts";
export * from "./target.ts";
