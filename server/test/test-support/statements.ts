import type { Tx } from '../../src/platform/db/types.ts'
import type { TestServer } from './server.ts'

/** The statements that transactions run meanwhile, their literals left out, and what was answered. */
export const statementsOf = async <T>(
  { app }: TestServer,
  act: () => Promise<T>,
): Promise<{ seen: string[]; answer: T }> => {
  const transact = app.db.transact.bind(app.db)
  const seen: string[] = []
  const spied = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (target, name, self) => {
        const value: unknown = Reflect.get(target, name, self)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (typeof args[0] === 'string') seen.push(args[0].replaceAll(/'[^']*'/g, '?'))
          return (value as (...all: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  app.db.transact = ((work) => transact((tx) => work(spied(tx)))) as typeof transact
  try {
    return { answer: await act(), seen }
  } finally {
    app.db.transact = transact
  }
}
