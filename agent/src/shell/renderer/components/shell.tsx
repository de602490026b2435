import type { Brand } from '@integrity/protocol/clients/brand'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Shell as PageShell, MessagePage as SharedMessagePage } from '@integrity/shared-ui/web/shell'
import type { ReactNode } from 'react'
import type { WindowText } from '../texts/window.ts'
import { useLanguage } from './language.tsx'

interface ShellProps {
  readonly org?: string | undefined
  readonly brand?: Brand | undefined
  readonly footer: ReactNode
  readonly children: ReactNode
}

/** What is around every page: this program, and for whom it works. */
export const Shell = ({ org, brand, footer, children }: ShellProps) => {
  const { t } = useLanguage()
  const name = (
    <>
      <span>{t('productName')}</span>
      {org ? <span className="org">{org}</span> : null}
    </>
  )
  return (
    <PageShell name={name} brand={brand} footer={footer}>
      {children}
    </PageShell>
  )
}

/** A page of its own that says one thing, where there is no agent to speak of. */
export const MessagePage = ({ title, text }: { readonly title: WindowText; readonly text?: WindowText }) => (
  <Shell footer={<HelpLine />}>
    <SharedMessagePage<WindowText> title={title} text={text} />
  </Shell>
)
