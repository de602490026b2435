import { createContext, type ReactNode, use, useState } from 'react'
import type { Answers } from '../state/consent-answers.ts'

/** How far a person has come with the consent page; nothing of it has been sent. */
interface Draft {
  readonly step: 'who' | 'what'
  /** The document that was answered to, by its hash. */
  readonly hash: string
  readonly answers: Answers
}

const empty: Draft = { step: 'who', hash: '', answers: {} }
const Kept = createContext<readonly [Draft, (draft: Draft) => void]>([empty, () => {}])

/** Outlives the page, so that whoever comes back from the device check finds the answers as they were. */
export const ConsentDraftProvider = ({ children }: { readonly children: ReactNode }) => (
  <Kept value={useState(empty)}>{children}</Kept>
)

export const useConsentDraft = () => use(Kept)
