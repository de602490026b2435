/**
 * What is made of each item, in their order, while so many behind the one that was given out are being made. When one fails,
 * the error comes in its place; what was begun behind it is waited for by nobody.
 */
export async function* inOrderAhead<Item, Made>(
  items: readonly Item[],
  ahead: number,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const begun: Promise<Made>[] = []
  const begin = (item: Item): void => {
    const made = make(item)
    // Its error is that of whoever awaits it, and of nobody where an earlier one failed.
    made.catch(() => undefined)
    begun.push(made)
  }
  let next = 0
  for (; next < Math.min(items.length, ahead + 1); next++) begin(items[next]!)
  for (let made = begun.shift(); made; made = begun.shift()) {
    yield await made
    if (next < items.length) begin(items[next++]!)
  }
}
