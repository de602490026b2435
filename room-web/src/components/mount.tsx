import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Languages } from '../browser/chosen-language.ts'
import { FailureBoundary } from '../ui/failure-boundary.tsx'
import type { Language } from '../ui/spoken.tsx'
import { LanguageProvider } from './language.tsx'

interface Mounted<Text extends string> {
  readonly languages: Languages<Language<Text>>
  readonly content: ReactNode
  /** Ends what the page has running, when it can no longer be drawn. */
  readonly onFailure?: () => void
}

/** Puts a page into its document. */
export const mount = <Text extends string>({ languages, content, onFailure }: Mounted<Text>): void => {
  const root = document.getElementById('app')
  if (!root) return
  createRoot(root).render(
    <LanguageProvider languages={languages}>
      <FailureBoundary {...(onFailure ? { onFailure } : {})}>{content}</FailureBoundary>
    </LanguageProvider>,
  )
}
