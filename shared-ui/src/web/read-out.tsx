import type { ReactNode } from 'react'
import { Notice } from './shell.tsx'

interface Props {
  readonly children: ReactNode
}

/** A problem, announced to screen readers at once when it appears; renders nothing without one. */
export const AlertNotice = ({ children }: Props) => (
  <div role="alert">{children ? <Notice kind="attention">{children}</Notice> : null}</div>
)

/** What is shown otherwise to those who see it, for those who hear it. */
export const Announcer = ({ children }: Props) => (
  <div className="unseen" role="status" data-part="announcer">
    {children}
  </div>
)
