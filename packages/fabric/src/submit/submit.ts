// The one verb: puts a task on a queue. A plain submission is one request; one with a key is decided by a register,
// so that a doubled or repeated submission is one task.
import {
  type FabricContext,
  FabricError,
  getTaskByReference,
  isFabricError,
  createTask,
  type Queue,
} from "@agap/kb-client";
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { refused, type Submitted } from "./submitted.ts";
import { submitWithKey } from "./submit-with-key.ts";

/** Shipped server settings take 32 MB bodies; what is longer than this belongs into an attachment. */
const MAX_DESCRIPTION = 1_048_576;

export const submission = z.strictObject({
  /** Short intent; the card's title. */
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "the intent is empty"),
      z.maxLength(255, "longer than 255 characters"),
    ),
  /** Markdown, verbatim; what to do, acceptance criteria, references. */
  description: withDefault(
    z.string().check(z.maxLength(MAX_DESCRIPTION, "longer than 1 MiB; attach a file instead")),
    "",
  ),
  score: withDefault(z.int().check(z.minimum(0), z.maximum(100)), 0),
  priority: withDefault(z.int().check(z.minimum(0), z.maximum(3)), 0),
  /** The same key by the same submitter is the same task. */
  key: z.optional(z.string().check(z.minLength(1), z.maxLength(180))),
  /** As Kanboard takes it: "YYYY-MM-DD HH:MM" in the zone of the submitting account. */
  dateDue: z.optional(z.string()),
});

export type Submission = z.input<typeof submission>;

const REFERENCE_LENGTH = 16;

/** @throws FabricError `SUBMIT_INVALID`, `SUBMIT_REFUSED`, `SUBMIT_UNKNOWN` */
export async function submit(
  ctx: FabricContext,
  queue: Queue,
  input: Submission,
  signal?: AbortSignal,
): Promise<Submitted> {
  const parsed = submission.safeParse(input);
  if (!parsed.success) {
    throw new FabricError(z.prettifyError(parsed.error), {
      code: "SUBMIT_INVALID",
      retryable: "no",
      hint: "Nothing was created. Correct the task and submit it again.",
    });
  }
  const { key, ...task } = parsed.data;
  if (key !== undefined) return submitWithKey(ctx, queue, task, key, signal);
  const reference = ctx.random.base36(REFERENCE_LENGTH);
  const fields = { ...task, projectId: queue.project, columnId: queue.columns.ready.id, reference };
  try {
    const id = await ctx.client.call(createTask(fields), { purpose: "submit", signal });
    if (id === null) throw refused(queue);
    return { id, created: true };
  } catch (error) {
    if (!isFabricError(error) || error.retryable !== "ambiguous") throw error;
    return readBack(ctx, queue, reference, error);
  }
}

/** The reply was lost: the card carries a reference of its own, so the board can be asked whether it is there. */
async function readBack(
  ctx: FabricContext,
  queue: Queue,
  reference: string,
  cause: FabricError,
): Promise<Submitted> {
  const unknown = (): FabricError =>
    new FabricError("the board did not say whether the task was created", {
      code: "SUBMIT_UNKNOWN",
      retryable: "ambiguous",
      hint: `Search the board for ref:${reference} before you submit it again, or submit with a key.`,
      cause,
    });
  try {
    const options = { purpose: "submit" } as const;
    const task = await ctx.client.call(getTaskByReference(queue.project, reference), options);
    if (task) return { id: task.id, created: true };
  } catch {
    throw unknown();
  }
  throw unknown();
}
