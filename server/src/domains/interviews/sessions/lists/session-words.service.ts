import type { Writes } from '../../../../kernel/call.ts'
import { beginningsOf, wordsOf } from './session-words.model.ts'
import { deleteBeginnings, findWorded, insertBeginnings, saveWords, type Worded } from './session-words.store.ts'

type Change = Pick<Writes, 'tx' | 'scope'>

const replaceWords = async (
  { tx, scope }: Change,
  {
    sessionId,
    before,
    words,
  }: { readonly sessionId: string; readonly before: Worded; readonly words: readonly string[] },
): Promise<void> => {
  const [had, has] = [beginningsOf(before.words), beginningsOf(words)]
  const [gone, come] = [had.filter((one) => !has.includes(one)), has.filter((one) => !had.includes(one))]
  if (words.join(' ') !== before.words.join(' ')) await saveWords(tx, scope, sessionId, words)
  await deleteBeginnings(tx, scope, before, gone)
  await insertBeginnings(tx, scope, before, come)
}

/** A locked session is found by these words too: its reference, its label, who was invited. */
export const addWords = async (
  call: Change,
  { sessionId, texts }: { readonly sessionId: string; readonly texts: readonly (string | null)[] },
): Promise<void> => {
  const before = await findWorded(call.tx, call.scope, sessionId)
  if (before) await replaceWords(call, { sessionId, before, words: wordsOf([...before.words, ...texts]) })
}

/** A locked session was made at another time: it stands there in the lists of its words. `before` was read before that. */
export const moveWords = async (
  { tx, scope }: Change,
  { before, createdAt }: { readonly before: Worded; readonly createdAt: number },
): Promise<void> => {
  const beginnings = beginningsOf(before.words)
  await deleteBeginnings(tx, scope, before, beginnings)
  await insertBeginnings(tx, scope, { ...before, createdAt }, beginnings)
}

/** What an erasure leaves is found by the reference of the organisation alone, which stays. */
export const forgetWords = async ({ tx, scope }: Change, sessionId: string): Promise<void> => {
  const before = await findWorded(tx, scope, sessionId)
  if (before) await replaceWords({ tx, scope }, { sessionId, before, words: wordsOf([before.externalId]) })
}
