import type { Catalogue } from '@integrity/protocol/texts/catalogue'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { FailureBoundary } from './failure-boundary.tsx'
import { LanguageProvider } from './language-provider.tsx'
import type { UiText } from './spoken.tsx'

interface Mounted {
  readonly languages: Catalogue<UiText>
  readonly content: ReactNode
  /** Ends what the page has running, when it can no longer be drawn. */
  readonly onFailure?: () => void
}

/** Puts a page into its document. */
export const mount = ({ languages, content, onFailure }: Mounted): void => {
  const root = document.getElementById('app')
  if (!root) return
  createRoot(root).render(
    <LanguageProvider languages={languages}>
      <FailureBoundary {...(onFailure ? { onFailure } : {})}>{content}</FailureBoundary>
    </LanguageProvider>,
  )
}
