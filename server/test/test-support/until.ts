/** Resolves as soon as the condition holds; asked again with every turn of the event loop. */
export const until = async (met: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await met())) await new Promise((resolve) => setImmediate(resolve))
}
