/**
 * Every row of a paged list.
 * @param pageAfter the page after a row; without a row, the first
 */
export async function* eachRow<Row>(pageAfter: (last?: Row) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  let page = await pageAfter();
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await pageAfter(last);
  }
}
