import type { Words } from '../hooks/use-texts.tsx'
import type { Sending } from '../session/sender.ts'

/** What is still on this phone, in numbers with their nouns; `undefined` when nothing is. */
export const waitingText = (t: Words['t'], { filesWaiting, beatsWaiting }: Sending): string | undefined => {
  const files = filesWaiting === 1 ? t('waitingFile') : t('waitingFiles', { n: filesWaiting })
  const notes = beatsWaiting === 1 ? t('waitingNote') : t('waitingNotes', { n: beatsWaiting })
  if (filesWaiting > 0 && beatsWaiting > 0) return t('waitingBoth', { files, notes })
  if (filesWaiting > 0) return files
  return beatsWaiting > 0 ? notes : undefined
}
