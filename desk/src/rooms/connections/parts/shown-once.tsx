import { Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import { useLanguage } from '../../../parts/language.ts'

interface CopyProps {
  /** What it is. */
  readonly name: string
  readonly value: string
}

/** Something that is written down elsewhere exactly as it is, and a button that copies it. */
export const Copied = ({ name, value }: CopyProps) => {
  const { t } = useLanguage()
  const [isCopied, setIsCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  }
  return (
    <>
      <code className="exact">{value}</code>{' '}
      <Button aria-label={t('connectionsCopyOf', { name })} onClick={copy}>
        {t('connectionsCopy')}
      </Button>{' '}
      <span role="status">{isCopied ? t('connectionsCopied') : null}</span>
    </>
  )
}

interface Props extends CopyProps {
  readonly onSeen: () => void
}

/** A secret that the service shows this once. It leaves the page when its reader says so, and with the page. */
export const ShownOnce = ({ name, value, onSeen }: Props) => {
  const { t } = useLanguage()
  return (
    <div role="status">
      <Notice kind="attention">
        <p>
          <strong>{name}</strong>
        </p>
        <p>
          <Copied name={name} value={value} />
        </p>
        <p>{t('connectionsShownOnce')}</p>
        <Button onClick={onSeen}>{t('connectionsSeen')}</Button>
      </Notice>
    </div>
  )
}
