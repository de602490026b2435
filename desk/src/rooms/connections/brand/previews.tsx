import { brandSchemes, pagePaint, phonePaint } from '@integrity/protocol/clients/palette'
import { coloursIn, pageColours, phoneColours, type Scheme } from '@integrity/protocol/clients/tokens'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useLanguage } from '../../../parts/language.ts'
import { type BrandWords, typedPalette } from './brand-words.ts'

type Colours = Readonly<Record<string, string>>

interface PaintedProps {
  readonly colours: Colours
  readonly kind: 'screen' | 'paper'
  readonly children: ReactNode
}

const propertyOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A part of a page in other colours than the rest; through the object model, as the page allows no style attributes. */
const Painted = ({ colours, kind, children }: PaintedProps) => {
  const part = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    for (const [name, colour] of Object.entries(colours)) part.current?.style.setProperty(propertyOf(name), colour)
  }, [colours])
  return (
    <div ref={part} className={`preview ${kind}`} aria-hidden="true">
      {children}
    </div>
  )
}

interface Props {
  readonly words: BrandWords
  readonly name: string
  /** An address of this service or a picture as a whole. */
  readonly logo: string | undefined
}

interface Place {
  readonly id: 'agent' | 'phone' | 'room' | 'invitation' | 'letter' | 'pdf'
  readonly kind: PaintedProps['kind']
}

const places: readonly Place[] = [
  { id: 'agent', kind: 'screen' },
  { id: 'phone', kind: 'screen' },
  { id: 'room', kind: 'screen' },
  { id: 'invitation', kind: 'screen' },
  { id: 'letter', kind: 'paper' },
  { id: 'pdf', kind: 'paper' },
]

/** The colours that a place has with this brand: those that the agent, the phone and the pages work out for themselves. */
const coloursOf = ({ id, kind }: Place, words: BrandWords, scheme: Scheme): Colours => {
  const palette = typedPalette(words)
  if (kind === 'paper') {
    const own = coloursIn(pageColours, 'light')
    return palette ? { ...own, accent: palette.accent, onAccent: palette.accentText } : own
  }
  const isPhone = id === 'phone'
  const usual: Colours = isPhone ? coloursIn(phoneColours, scheme) : coloursIn(pageColours, scheme)
  const branded = brandSchemes(palette, undefined, isPhone ? phonePaint : pagePaint)
  return branded ? { ...usual, ...branded[branded.alwaysDark ? 'dark' : scheme] } : usual
}

/** Small pictures of where candidates see the brand, as far as it can be shown from the settings. */
export const Previews = ({ words, name, logo }: Props) => {
  const { t } = useLanguage()
  const [scheme, setScheme] = useState<Scheme>('light')
  const schemes = (['light', 'dark'] as const).map((id) => ({ id, label: t(`connectionsScheme.${id}`) }))
  return (
    <Section title={t('connectionsPreview')}>
      <p>{t('connectionsPreviewText')}</p>
      <SelectField
        label={t('connectionsScheme')}
        value={scheme}
        options={schemes}
        onChange={(id) => setScheme(id === 'dark' ? 'dark' : 'light')}
      />
      <div className="gallery">
        {places.map((place) => (
          <figure key={place.id} data-preview={place.id}>
            <figcaption>{t(`connectionsPlace.${place.id}`)}</figcaption>
            <Painted kind={place.kind} colours={coloursOf(place, words, scheme)}>
              <p className="preview-head">
                {logo === undefined ? null : <img src={logo} alt="" />}
                <strong>{name}</strong>
              </p>
              <div className="preview-body">
                <p>{t(`connectionsPlaceText.${place.id}`)}</p>
                {place.id !== 'pdf' && words.welcome.trim() !== '' ? <p>{words.welcome}</p> : null}
                {place.id === 'pdf' ? null : <p className="preview-press">{t(`connectionsPlacePress.${place.id}`)}</p>}
                {words.privacyContact.trim() === '' ? null : <p className="preview-link">{words.privacyContact}</p>}
              </div>
            </Painted>
          </figure>
        ))}
      </div>
    </Section>
  )
}
