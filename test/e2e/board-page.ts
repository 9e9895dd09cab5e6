// A person at the board: a real browser that logs in, presses + and drags cards with the mouse.
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findChromium(): string | null {
  const wanted = process.env["FABRIC_CHROMIUM"];
  return (
    [...(wanted === undefined ? [] : [wanted]), ...CHROMIUM].find((path) => existsSync(path)) ??
    null
  );
}

export class BoardPage {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #url: string;

  /** Addresses that the board's pages asked for in vain: an icon or a script that is missing. */
  readonly failed: string[] = [];

  private constructor(browser: Browser, page: Page, url: string) {
    this.#browser = browser;
    this.#page = page;
    this.#url = url;
    page.on("response", (reply) => {
      if (reply.status() >= 400) this.failed.push(`${reply.status()} ${reply.url()}`);
    });
  }

  static async open(url: string, executablePath: string): Promise<BoardPage> {
    const browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(15_000);
    return new BoardPage(browser, page, url.replace(/\/$/, ""));
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async screenshot(path: string): Promise<void> {
    await this.#page.screenshot({ path });
  }

  async login(username: string, password: string): Promise<void> {
    await this.#page.goto(`${this.#url}/?controller=AuthController&action=login`);
    await this.#page.fill("input[name=username]", username);
    await this.#page.fill("input[name=password]", password);
    await this.#page.click("button[type=submit]");
    await this.#page.waitForSelector("header .title-container");
  }

  async board(project: number): Promise<void> {
    await this.#page.goto(
      `${this.#url}/?controller=BoardViewController&action=show&project_id=${project}`,
    );
    await this.#page.waitForSelector("#board");
  }

  /** Presses + above a column and fills the form; returns the new card's id. */
  async addCard(column: number, title: string): Promise<number> {
    await this.#page.click(`.board-column-header-${column} .board-add-icon a`);
    await this.#page.fill("#form-title", title);
    await this.#page.click(".task-form-bottom button[type=submit], form button[type=submit]");
    const card = this.#page.locator(`.task-board:has-text(${JSON.stringify(title)})`);
    await card.waitFor();
    return Number(await card.getAttribute("data-task-id"));
  }

  /** Drags a card to a column by the mouse, as the board's own script expects it. */
  async drag(card: number, column: number): Promise<void> {
    const from = await this.#centre(`.task-board[data-task-id="${card}"]`);
    const to = await this.#centre(`.board-task-list[data-column-id="${column}"]`);
    const saved = this.#page.waitForResponse((reply) =>
      /board.*save|action=save/i.test(reply.url()),
    );
    const { mouse } = this.#page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 8, from.y + 8, { steps: 4 });
    await mouse.move(to.x, to.top + 20, { steps: 20 });
    await mouse.move(to.x + 2, to.top + 22, { steps: 2 });
    await mouse.up();
    await saved;
  }

  /** Opens the card's own page and reads its comments, newest last. */
  async comments(card: number): Promise<string[]> {
    await this.#page.goto(
      `${this.#url}/?controller=TaskViewController&action=show&task_id=${card}`,
    );
    await this.#page.waitForSelector("#task-view, #task-summary");
    return this.#page.locator(".comment-content").allInnerTexts();
  }

  async closeCard(card: number): Promise<void> {
    await this.#confirm(card, "close");
  }

  async reopenCard(card: number): Promise<void> {
    await this.#confirm(card, "open");
  }

  async deleteCard(card: number): Promise<void> {
    await this.#confirm(card, "remove");
  }

  async #confirm(card: number, action: string): Promise<void> {
    await this.#page.goto(
      `${this.#url}/?controller=TaskViewController&action=show&task_id=${card}`,
    );
    await this.#page.click(`.sidebar a[href*="${action}"]:not([href*="comment"])`);
    await this.#page.click("#modal-confirm-button");
    await this.#page.waitForLoadState("networkidle");
  }

  async #centre(selector: string): Promise<{ x: number; y: number; top: number }> {
    const place = await this.#page.locator(selector).first().boundingBox();
    if (!place) throw new Error(`nothing at ${selector}`);
    return { x: place.x + place.width / 2, y: place.y + place.height / 2, top: place.y };
  }
}
