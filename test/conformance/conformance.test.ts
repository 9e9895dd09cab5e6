// One suite, two boards: whatever a test elsewhere relies on in the in-memory board, the real Kanboard does as well.
import { after, before, describe } from "node:test";
import { accessTests } from "./access.ts";
import { cardTests } from "./cards.ts";
import { dueDateTests } from "./due-dates.ts";
import { type Fixture, some, SUBJECTS } from "./fixture.ts";
import { moveTests } from "./moves.ts";
import { searchTests } from "./searches.ts";
import { tagTests } from "./tags.ts";

for (const { name, skip, open } of SUBJECTS) {
  describe(name, { skip }, () => {
    let opened: Fixture | undefined;
    const fixture = (): Fixture => some(opened);
    before(async () => {
      opened = await open();
    });
    after(() => opened?.stop());
    describe("cards", () => cardTests(fixture));
    describe("moves", () => moveTests(fixture));
    describe("tags", () => tagTests(fixture));
    describe("searches", () => searchTests(fixture));
    describe("access", () => accessTests(fixture));
    describe("due dates", () => dueDateTests(fixture));
  });
}
