import { type ReactNode, useEffect, useRef } from 'react'
import type { TextKey } from '../texts/en.ts'
import { LanguageSwitch, useLanguage } from './language.tsx'

interface ShellProps {
  readonly org?: string | undefined
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** What is around every page. */
export const Shell = ({ org, footer, children }: ShellProps) => {
  const { t } = useLanguage()
  return (
    <>
      <header className="header">
        <p className="brand">
          {t('productName')}
          {org ? <span className="org">{org}</span> : null}
        </p>
        <LanguageSwitch />
      </header>
      {children}
      {footer ? <footer className="footer">{footer}</footer> : null}
    </>
  )
}

interface PageProps {
  readonly title: string
  readonly children?: ReactNode
  readonly wide?: boolean
}

/** One page: its title is the window's too, and is read out when the page appears. */
export const Page = ({ title, children, wide = false }: PageProps) => {
  const { t } = useLanguage()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    document.title = `${title} – ${t('productName')}`
  }, [title, t])
  return (
    <main className={wide ? 'page wide' : 'page'}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}

/** A page of its own that says one thing, where there is no agent to speak of. */
export const MessagePage = ({ title, text }: { readonly title: TextKey; readonly text?: TextKey }) => {
  const { t } = useLanguage()
  return (
    <Shell>
      <Page title={t(title)}>{text ? <p>{t(text)}</p> : null}</Page>
    </Shell>
  )
}

interface NoticeProps {
  readonly kind?: 'info' | 'attention'
  readonly children: ReactNode
}

/** Something to know now. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => <div className={`notice ${kind}`}>{children}</div>
