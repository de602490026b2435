import type { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import { rates } from '@integrity/shared-ui/player/clock'
import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import type { Command } from '@integrity/shared-ui/player/keys'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId } from 'react'
import { useLanguage } from '../parts/language.ts'
import { useNames } from './use-names.ts'

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
