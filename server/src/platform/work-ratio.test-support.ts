/** Processor time that this thread spent on the work, repeated until a coarse clock can tell. Milliseconds for each. */
export const cpuMsOf = (work: () => unknown, leastMs = 40): number => {
  work()
  const before = process.threadCpuUsage()
  for (let times = 1; ; times++) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1000
    if (ms >= leastMs || times === 1000) return ms / times
  }
}

/**
 * How many times as much one piece of work costs as the same amount in `pieces` small ones: near 1 where the cost follows the size,
 * near `pieces` where it follows its square. Whatever else the machine does, both are slowed down alike.
 */
export const timesAsCostly = (whole: () => unknown, piece: () => unknown, pieces: number): number => {
  const inPieces = () => {
    for (let n = 0; n < pieces; n++) piece()
  }
  return cpuMsOf(whole) / cpuMsOf(inPieces)
}
