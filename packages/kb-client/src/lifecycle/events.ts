// The stable names of everything that happens to a task: logs today, metrics and traces later use the same list.

export type FabricEvent =
  | "task.claimed"
  | "task.claim_lost"
  | "task.claim_withdrawn"
  | "task.done"
  | "task.failed"
  | "task.dead_letter"
  | "task.parked"
  | "task.released"
  | "task.promoted"
  | "task.gone"
  | "task.unfinished"
  | "task.explained"
  | "lease.renewed"
  | "lease.unconfirmed"
  | "lease.lost"
  | "lease.expired"
  | "write.fenced"
  | "write.read_back"
  | "projection.repaired"
  | "projection.disturbed"
  | "gesture.recorded"
  | "ledger.damaged"
  | "queue.parked"
  | "queue.resumed"
  | "board.unreachable"
  | "board.back";

export type EventSink = (event: FabricEvent, fields: Readonly<Record<string, unknown>>) => void;

export const silent: EventSink = () => undefined;
