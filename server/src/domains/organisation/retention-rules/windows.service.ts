import type { Writes } from '../../../kernel/call.ts'
import { deleteWindow, insertWindow } from './windows.store.ts'

/** The window of a session that has just ended, with the days that its candidate was told. Call with the session locked. */
export const openWindow = (
  { tx, scope }: Writes,
  ended: { readonly sessionId: string; readonly endedAt: number; readonly toldDays: number },
): Promise<void> => insertWindow(tx, scope, ended)

/** The session was erased: nothing of it becomes due any more. */
export const closeWindow = ({ tx, scope }: Writes, sessionId: string): Promise<void> =>
  deleteWindow(tx, scope, sessionId)
