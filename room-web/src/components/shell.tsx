import { type ReactNode, useEffect, useRef } from 'react'
import { brandOf, type Org } from '../brand/brand.ts'
import { LanguageSwitch, useLanguage } from './language.tsx'

/** What is around every page: whose it is, and the language. */
export const Shell = ({ org, children }: { readonly org?: Org | undefined; readonly children: ReactNode }) => {
  const { t } = useLanguage()
  const brand = org && brandOf(org, location.href)
  const { light, dark } = brand?.accent ?? {}
  useEffect(() => {
    // Through the object model: the page's policy allows no style attributes.
    const { style } = document.documentElement
    style.setProperty('--brand-light', light ?? '')
    style.setProperty('--brand-dark', dark ?? '')
  }, [light, dark])
  return (
    <>
      <header className="header">
        <p className="brand">
          {brand?.logo ? <img src={brand.logo} alt="" /> : null}
          <span>{brand?.name ?? t('productName')}</span>
        </p>
        <LanguageSwitch />
      </header>
      {children}
    </>
  )
}

interface PageProps {
  readonly title: string
  readonly children: ReactNode
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

export type NoticeKind = 'info' | 'attention'

/** Something to know now; read out when it appears. */
export const Notice = ({ kind = 'info', children }: { readonly kind?: NoticeKind; readonly children: ReactNode }) => (
  <p className={`notice ${kind}`}>{children}</p>
)
