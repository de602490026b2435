import type { ReactNode } from 'react'

interface Props {
  /** What it holds, for a screen reader. */
  readonly label: string
  readonly children: ReactNode
}

/** What is wider than a narrow window and holds nothing that takes the focus: it does itself, so that keys can scroll it. */
export const Scrolled = ({ label, children }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: no form, so no fieldset.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys (WCAG 2.1.1).
  <div className="scrolled" role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
)
