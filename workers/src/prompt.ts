// What a model is told of a task: its text verbatim, and what people said on the card.
import type { TaskInput } from "./executor.ts";

export function promptOf({ title, description, comments, refs }: TaskInput): string {
  const parts = [title];
  if (description.trim() !== "") parts.push(description);
  for (const { ref, title: name, text } of refs)
    parts.push(`Card ${ref}: ${name}\n\n${text}`.trim());
  if (comments.length > 0) {
    const said = comments.map(({ by, text }) => `${by}: ${text}`);
    parts.push(`Comments on this task:\n\n${said.join("\n\n")}`);
  }
  return parts.join("\n\n");
}
