import type { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import { rates } from '@integrity/shared-ui/player/clock'
import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useEffect, useRef } from 'react'
import { useLanguage } from './language.ts'
import { useOwnNames } from './own-names.ts'

interface Props {
  readonly engine: PlayerEngine
  readonly playing: Playing
}

/** Of the place, milliseconds. The last step of an interview may be shorter, and leads to its end. */
const stepMs = 100
const jumpMs = 5000

/** The place in the interview; it is sought once when it is let go. */
const Place = ({ engine, playing }: Props) => {
  const { t } = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const { fromMs, toMs } = engine.timeline
  useEffect(() => {
    const release = () => engine.release()
    const element = input.current
    element?.addEventListener('change', release)
    return () => element?.removeEventListener('change', release)
  }, [engine])
  return (
    <input
      ref={input}
      type="range"
      className="seek"
      min={fromMs}
      max={toMs}
      step={stepMs}
      value={Math.round(playing.atMs / stepMs) * stepMs}
      aria-label={t('playPlace')}
      aria-valuetext={t('playPlaceOf', { at: playTime(playing.atMs), end: playTime(toMs) })}
      onInput={({ currentTarget: { value } }) => engine.scrub(Number(value) > toMs - stepMs ? toMs : Number(value))}
    />
  )
}

const Sounds = ({ sounds: { tracks, isHeard, hear } }: { readonly sounds: ReturnType<typeof useSounds> }) => {
  const { t } = useLanguage()
  const names = useOwnNames()
  if (tracks.length === 0) return null
  return (
    <fieldset>
      <legend>{t('playSounds')}</legend>
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
export const OwnTransport = ({
  engine,
  playing,
  sounds,
}: Props & { readonly sounds: ReturnType<typeof useSounds> }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { wanted, phase, atMs, rate } = playing
  return (
    <>
      <Place engine={engine} playing={playing} />
      <p className="small">
        {t('playPlaceOf', { at: playTime(atMs), end: playTime(engine.timeline.toMs) })} ·{' '}
        <span role="status">{t(`playPhase.${phase}`)}</span>
      </p>
      <Actions>
        <Button kind="main" onClick={() => engine.toggle()}>
          {t(wanted ? 'playPause' : 'playStart')}
        </Button>
        <Button onClick={() => engine.seek(engine.atMs - jumpMs)}>{t('playBack')}</Button>
        <Button onClick={() => engine.seek(engine.atMs + jumpMs)}>{t('playOn')}</Button>
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
    </>
  )
}
