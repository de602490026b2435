import type { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import { rates } from '@integrity/shared-ui/player/clock'
import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import type { Command } from '@integrity/shared-ui/player/keys'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useLanguage } from './language.ts'
import { useOwnNames } from './own-names.ts'

interface Props {
  readonly engine: PlayerEngine
  readonly playing: Playing
  readonly sounds: ReturnType<typeof useSounds>
  readonly onCommand: (command: Command) => void
}

const Sounds = ({ sounds: { tracks, isHeard, hear } }: Pick<Props, 'sounds'>) => {
  const { t } = useLanguage()
  const names = useOwnNames()
  if (tracks.length === 0) return null
  return (
    <fieldset className="heard">
      <legend className="unseen">{t('playSounds')}</legend>
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
export const OwnTransport = ({ engine, playing, sounds, onCommand }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { wanted, phase, atMs, rate } = playing
  return (
    <div className="transport">
      <Actions>
        <Button kind="main" onClick={() => onCommand('toggle')}>
          {t(wanted ? 'playPause' : 'playStart')}
        </Button>
        <Button onClick={() => onCommand('back')}>{t('playBack')}</Button>
        <Button onClick={() => onCommand('on')}>{t('playOn')}</Button>
        {phase === 'failed' ? <Button onClick={() => engine.retry()}>{t('playAgain')}</Button> : null}
      </Actions>
      <SelectField
        label={t('playSpeed')}
        value={String(rate)}
        options={rates.map((one) => ({
          id: String(one),
          label: t('playSpeedOf', { rate: one.toLocaleString(locale) }),
        }))}
        onChange={(chosen) => {
          engine.rate = Number(chosen)
        }}
      />
      <Sounds sounds={sounds} />
      <p className="place">
        {t('playPlaceOf', { at: playTime(atMs), end: playTime(engine.timeline.toMs) })} ·{' '}
        <span role="status">{t(`playPhase.${phase}`)}</span>
      </p>
    </div>
  )
}
