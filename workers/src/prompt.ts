// What a model is told of a card: its text verbatim, and what people said on it.
import type { Work } from "./executor.ts";

export function promptOf(work: Work): string {
  const { task, comments, agentIds } = work;
  const said = comments
    .filter((comment) => comment.userId === null || !agentIds.includes(comment.userId))
    .map((comment) => `${comment.username ?? "somebody"}: ${comment.text}`);
  const parts = [task.title];
  if (task.description.trim() !== "") parts.push(task.description);
  if (said.length > 0) parts.push(`Comments on this task:\n\n${said.join("\n\n")}`);
  return parts.join("\n\n");
}
