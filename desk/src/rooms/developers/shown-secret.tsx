import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../parts/language.ts'

export interface Fresh {
  /** What it is of. */
  readonly of: string
  readonly secret: string
}

interface Props {
  readonly label: string
  /** What it is for, and that it is shown once. */
  readonly text: string
  readonly secret: string
  readonly onDone: () => void
  /** What it can be used for at once. */
  readonly children?: ReactNode
}

/** A secret that was just made: shown until it is put away or the page is left, and never again. */
export const ShownSecret = ({ label, text, secret, onDone, children }: Props) => {
  const { t } = useLanguage()
  const [copied, setCopied] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <section aria-label={label}>
      <Notice kind="attention">
        <h2 ref={heading} tabIndex={-1}>
          {label}
        </h2>
        <p>{text}</p>
        <p>
          <code dir="ltr">{secret}</code>
        </p>
        <Actions>
          {/* There is no clipboard without https. */}
          {navigator.clipboard ? <Button onClick={() => void copy()}>{t('developersCopy')}</Button> : null}
          <Button kind="main" onClick={onDone}>
            {t('developersPutAway')}
          </Button>
        </Actions>
        <p role="status">{copied ? t('developersCopied') : null}</p>
        {children}
      </Notice>
    </section>
  )
}
