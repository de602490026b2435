import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { playTime } from '@integrity/shared-ui/player/range'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'

interface Props {
  readonly id: string
  readonly engine: PlayerEngine
}

/** Puts the time of the player into the address of the page, and that on the clipboard where the browser allows it. */
export const CopyTimeLink = ({ id, engine }: Props) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const [said, setSaid] = useState<string>()
  const copy = async () => {
    const seconds = Math.max(0, Math.floor(engine.atMs / 1000))
    const at = playTime(seconds * 1000)
    navigation.correct({ room: 'review', org: org.slug, id, t: String(seconds) })
    try {
      await navigator.clipboard.writeText(location.href)
      setSaid(t('playerLinkCopied', { at }))
    } catch {
      setSaid(t('playerLinkInAddress', { at }))
    }
  }
  return (
    <>
      <Actions>
        <Button onClick={() => void copy()}>{t('playerCopyLink')}</Button>
      </Actions>
      <p role="status">{said}</p>
    </>
  )
}
