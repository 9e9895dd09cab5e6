// What a submission answers, and the refusal that every way of submitting shares.
import { FabricError, type Queue, type TaskId } from "@agap/kb-client";

export interface Submitted {
  id: TaskId;
  /** False when the key was used before: `id` is that task. */
  created: boolean;
}

export function refused(queue: Queue): FabricError {
  return new FabricError(`Kanboard would not create the task in queue ${queue.name}`, {
    code: "SUBMIT_REFUSED",
    retryable: "no",
    hint: "Check the due date and that this account is a member of the queue's project.",
  });
}
