import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom, VirtualClock } from "./virtual-clock.ts";

test("sleepers wake in the order of their times, each at its own", async () => {
  const clock = new VirtualClock(1000);
  const woken: string[] = [];
  const sleep = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(`${name}@${clock.now() - 1000}`);
  };
  const all = [sleep("c", 30), sleep("a", 10), sleep("b", 20), sleep("late", 50)];
  await clock.advance(40);
  assert.deepEqual(woken, ["a@10", "b@20", "c@30"]);
  assert.deepEqual([clock.monotonic(), clock.sleeping, clock.nextWaking], [40, 1, 50]);
  await clock.advance(10);
  await Promise.all(all);
});

test("what a sleeper does next happens within the same advance", async () => {
  const clock = new VirtualClock();
  let beats = 0;
  const loop = async (): Promise<void> => {
    while (beats < 4) {
      await clock.sleep(25);
      beats += 1;
    }
  };
  const running = loop();
  await clock.advance(75);
  assert.equal(beats, 3);
  await clock.advance(25);
  await running;
});

test("an aborted sleep ends with the signal's reason and is forgotten", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const sleeping = assert.rejects(clock.sleep(1000, controller.signal), { message: "stop" });
  controller.abort(new Error("stop"));
  await sleeping;
  await assert.rejects(clock.sleep(1, controller.signal), { message: "stop" });
  assert.equal(clock.sleeping, 0);
});

test("a step of the wall clock leaves the monotonic one alone", async () => {
  const clock = new VirtualClock(1000);
  clock.stepWall(-500);
  await clock.advance(10);
  assert.deepEqual([clock.now(), clock.monotonic()], [510, 10]);
});

test("a seed gives the same numbers each time, another seed others", () => {
  const draw = (seed: number): string => {
    const random = seededRandom(seed);
    return `${random.next()} ${random.base36(10)}`;
  };
  assert.equal(draw(1), draw(1));
  assert.notEqual(draw(1), draw(2));
  assert.match(seededRandom(3).base36(200), /^[0-9a-z]{200}$/);
});
