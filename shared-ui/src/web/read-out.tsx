import type { ReactNode } from 'react'
import { Notice } from './shell.tsx'

interface Props {
  readonly children: ReactNode
}

/** What went wrong, read out at once when it appears; nothing where nothing did. */
export const AlertNotice = ({ children }: Props) => (
  <div role="alert">{children ? <Notice kind="attention">{children}</Notice> : null}</div>
)

/** What is shown otherwise to those who see it, for those who hear it. */
export const Announcer = ({ children }: Props) => (
  <div className="unseen" role="status" data-part="announcer">
    {children}
  </div>
)
