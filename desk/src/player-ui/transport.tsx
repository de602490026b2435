import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId } from 'react'
import { useLanguage } from '../parts/language.ts'
import { rates } from '../player/clock.ts'
import type { PlayerEngine } from '../player/engine.ts'
import type { Command } from '../player/keys.ts'
import type { Playing } from '../player/playing.ts'
import { playTime } from '../player/range.ts'
import { useNames } from './use-names.ts'
import type { useSounds } from './use-sounds.ts'

interface Props {
  readonly engine: PlayerEngine
  readonly playing: Playing
  readonly sounds: ReturnType<typeof useSounds>
  readonly onCommand: (command: Command) => void
}

const Speed = ({ engine, playing }: Pick<Props, 'engine' | 'playing'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const id = useId()
  const set = (value: string) => {
    engine.rate = Number(value)
  }
  return (
    <span className="field">
      <label htmlFor={id}>{t('playerSpeed')}</label>
      <select id={id} value={playing.rate} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {rates.map((rate) => (
          <option key={rate} value={rate}>
            {t('playerSpeedOf', { rate: rate.toLocaleString(locale) })}
          </option>
        ))}
      </select>
    </span>
  )
}

const Sounds = ({ sounds: { tracks, isHeard, hear } }: Pick<Props, 'sounds'>) => {
  const { t } = useLanguage()
  const names = useNames()
  if (tracks.length === 0) return null
  return (
    <fieldset className="heard">
      <legend className="unseen">{t('playerSounds')}</legend>
      {tracks.map((track) => (
        <label key={track.source} className="check">
          <input
            type="checkbox"
            checked={isHeard(track.source)}
            onChange={({ currentTarget }) => hear(track.source, currentTarget.checked)}
          />
          {names.source(track)}
        </label>
      ))}
    </fieldset>
  )
}

/** The buttons of the player, and where it is. */
export const Transport = ({ engine, playing, sounds, onCommand }: Props) => {
  const { t } = useLanguage()
  const { wanted, phase, atMs } = playing
  return (
    <div className="transport">
      <Actions>
        <Button kind="main" onClick={() => onCommand('toggle')}>
          {t(wanted ? 'playerPause' : 'playerPlay')}
        </Button>
        <Button onClick={() => onCommand('back')}>{t('playerBack')}</Button>
        <Button onClick={() => onCommand('on')}>{t('playerOn')}</Button>
        {phase === 'failed' ? <Button onClick={() => engine.retry()}>{t('tryAgain')}</Button> : null}
      </Actions>
      <Speed engine={engine} playing={playing} />
      <Sounds sounds={sounds} />
      <p className="place">
        {t('playerPlaceOf', { at: playTime(atMs), end: playTime(engine.timeline.toMs) })} ·{' '}
        <span role="status">{t(`playerPhase.${phase}`)}</span>
      </p>
    </div>
  )
}
