// Comments of a card.
import * as z from "zod/mini";
import type { CommentId, TaskId, UserId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { cleanText } from "../limits.ts";
import { bool, created } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { commentShape } from "../shapes.ts";
import type { Comment } from "../types.ts";

/**
 * null when refused: empty, or with a user's token a `userId` that is not that user. `@name` notifies people; see
 * `escapeMentions`.
 */
export function createComment(comment: {
  taskId: TaskId;
  userId: UserId;
  content: string;
}): Procedure<CommentId | null> {
  const { taskId, userId, content } = comment;
  const params = { task_id: taskId, user_id: userId, content: cleanText(content) };
  return write("createComment", params, created<CommentId>());
}

/** With a user's token only that user's own comments: false for others, 403 for one that is gone. */
export function updateComment(comment: { id: CommentId; content: string }): Procedure<boolean> {
  return write("updateComment", { id: comment.id, content: cleanText(comment.content) }, bool);
}

/** Oldest first. */
export function getAllComments(taskId: TaskId): Procedure<Comment[]> {
  return read("getAllComments", { task_id: taskId }, z.array(commentShape()));
}

export function removeComment(id: CommentId): Procedure<boolean> {
  return write("removeComment", { comment_id: id }, bool);
}
