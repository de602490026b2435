import type { Reader } from './types.ts'

/** Reads whose time is told. */
export const timedReader = (reader: Reader, onSpent: (ms: number) => void): Reader => {
  const measure = async <T>(read: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    try {
      return await read()
    } finally {
      onSpent(performance.now() - started)
    }
  }
  return {
    all: (sql, params) => measure(() => reader.all(sql, params)),
    get: (sql, params) => measure(() => reader.get(sql, params)),
  }
}
