import { useObjectUrl } from '@integrity/shared-ui/hooks/use-object-url'
import type { KeptItem } from '@integrity/shared-ui/player/item-store'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import type { Item, Track } from '@integrity/shared-ui/player/timeline'
import type { View } from '@integrity/shared-ui/player/view'
import { Recording } from '@integrity/shared-ui/web/recording'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'
import { useNames } from './use-names.ts'

const Still = ({ kept, label, onBroken }: { kept: KeptItem; label: string; onBroken: () => void }) => {
  const url = useObjectUrl(kept)
  return url ? <img className="shown" src={url} alt={label} onError={onBroken} /> : null
}

interface ShownProps {
  readonly item: Item
  readonly kept: KeptItem
  readonly playing: Playing
  readonly label: string
}

/** A picture or a recording; words where this browser cannot show it. */
const Shown = ({ item, kept, playing, label }: ShownProps) => {
  const { t } = useLanguage()
  const [broken, setBroken] = useState<string>()
  const onBroken = () => setBroken(kept.id)
  if (broken === kept.id) return <p>{t('playerUndecoded')}</p>
  return kept.contentType.startsWith('video/') ? (
    <Recording {...{ item, kept, playing, label, onBroken }} />
  ) : (
    <Still {...{ kept, label, onBroken }} />
  )
}

const classOf = (view: View): string => {
  // What the service withholds does not fit what it received: it looks as what does not fit here.
  if (view.kind === 'item') return `view ${view.kept.absent === 'withheld' ? 'unfit' : view.kept.finding}`
  return `view ${view.kind}`
}

interface Props {
  readonly track: Track
  readonly view: View
  readonly playing: Playing
  readonly onJump: (() => void) | undefined
}

/** What a source shows now: what was recorded, or in words why there is nothing. */
export const SourceView = ({ track, view, playing, onJump }: Props) => {
  const { t } = useLanguage()
  const names = useNames()
  const label = t('playerPicture', { source: names.source(track), at: playTime(playing.atMs) })
  const content = (): ReactNode => {
    switch (view.kind) {
      case 'item': {
        const { item, kept } = view
        if (kept.finding === 'unfit') return <p>{t('playerFinding.unfit')}</p>
        if (kept.absent !== undefined) return <p>{t(`playerAbsent.${kept.absent}` as DeskText)}</p>
        return <Shown {...{ item, kept, playing, label }} />
      }
      case 'loading':
        return view.last && view.last.bytes.length > 0 && !view.last.contentType.startsWith('video/') ? (
          <Still kept={view.last} label={label} onBroken={() => undefined} />
        ) : null
      case 'band': {
        const { stretch } = view
        return (
          <div className={`band ${stretch.state}`}>
            <p>{t('playerBand', { what: names.stretch(stretch), until: playTime(stretch.toMs) })}</p>
            {stretch.state === 'gap' && onJump ? (
              <button type="button" onClick={onJump}>
                {t('playerJump')}
              </button>
            ) : null}
          </div>
        )
      }
      case 'nothing':
        return <p>{t('playerOutside')}</p>
    }
  }
  return <div className={classOf(view)}>{content()}</div>
}
