/**
 * Every row of a list that the store gives page by page.
 * @param pageAfter the page after a row; without a row, the first page
 */
export async function* eachRow<Row>(pageAfter: (last?: Row) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  let page = await pageAfter();
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await pageAfter(last);
  }
}
