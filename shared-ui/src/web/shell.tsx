import type { Brand } from '@integrity/protocol/clients/brand'
import { brandProperty, pageColours } from '@integrity/protocol/clients/tokens'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Sign, type SignName } from './sign.tsx'
import { LanguageSwitch, type Spoken, useSpoken, type Values } from './spoken.tsx'

interface ShellProps {
  /** Whose page it is; the product's name where nothing is said. */
  readonly name?: ReactNode
  /** Its colour and its logo are shown; without one the page looks as the product does. */
  readonly brand?: Brand | undefined
  /** At its foot; the help line is there on every page. */
  readonly footer: ReactNode
  readonly children: ReactNode
}

/** Through the object model: the page's policy allows no style attributes. */
const paint = (colours: Brand['colours']): void => {
  const { style } = document.documentElement
  style.colorScheme = colours?.alwaysDark ? 'dark' : ''
  for (const scheme of ['light', 'dark'] as const)
    for (const name of Object.keys(pageColours))
      style.setProperty(brandProperty(scheme, name), colours?.[scheme][name] ?? '')
}

/** What is around every page: whose it is, and the language. */
export const Shell = ({ name, brand, footer, children }: ShellProps) => {
  const { t }: Spoken = useSpoken()
  const colours = brand?.colours
  useEffect(() => paint(colours), [colours])
  return (
    <>
      <header className="header">
        <p className="brand">
          {brand?.logo ? <img key={brand.logo} src={brand.logo} alt="" onError={hide} /> : null}
          {name ?? t('productName')}
        </p>
        <LanguageSwitch />
      </header>
      {children}
      <footer className="footer">{footer}</footer>
    </>
  )
}

/** A logo that cannot be loaded leaves no broken picture behind; the name is beside it anyway. */
const hide = ({ currentTarget }: { readonly currentTarget: HTMLImageElement }): void => {
  currentTarget.hidden = true
}

interface PageProps {
  readonly title: string
  readonly children?: ReactNode
  readonly wide?: boolean
  /** Of a page that says one thing. */
  readonly sign?: SignName | undefined
}

/** One page: its title is the window's too, and is read out when the page appears. */
export const Page = ({ title, children, wide = false, sign }: PageProps) => {
  const { t }: Spoken = useSpoken()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    document.title = `${title} – ${t('productName')}`
  }, [title, t])
  return (
    <main className={wide ? 'page wide' : 'page'}>
      {sign ? <Sign name={sign} /> : null}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}

export interface MessageProps<Text extends string> {
  readonly title: Text
  readonly text?: Text
  readonly values?: Values
  readonly sign?: SignName
  readonly children?: ReactNode
}

/** A page that says one thing: a sign, a sentence, and what can be done. */
export const MessagePage = <Text extends string>({
  title,
  text,
  values,
  sign = 'info',
  children,
}: MessageProps<Text>) => {
  const { t }: Spoken<Text> = useSpoken()
  return (
    <Page title={t(title, values)} sign={sign}>
      {text ? <p>{t(text, values)}</p> : null}
      {children}
    </Page>
  )
}

interface NoticeProps {
  readonly kind?: 'info' | 'attention'
  readonly children: ReactNode
}

/** Something to know now. It is read out when it appears inside of a `role="status"` or `role="alert"`. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => <div className={`notice ${kind}`}>{children}</div>
