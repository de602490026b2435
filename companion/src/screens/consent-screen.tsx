import { sideViewOften } from '@integrity/protocol/clients/how-often'
import { space } from '@integrity/protocol/clients/tokens'
import { View } from 'react-native'
import { Button } from '../components/button.tsx'
import { Body, Card, Fact, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { useAppointment } from '../hooks/use-appointment.ts'
import { useBrand } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { Pairing } from '../session/session.types.ts'
import type { ScreenProps } from './screen.props.ts'

/** What, needed or one's choice, how often, and the service's words: the table of the other surfaces, of one part. */
const Part = ({ pairing: { org, consentDocument, config } }: { readonly pairing: Pairing }) => {
  const { t, language } = useTexts()
  const often = sideViewOften(config.sideView)
  return (
    <Card>
      {consentDocument.lanes.map(({ lane, title, text, required }) => (
        <View key={lane} style={{ gap: space.xs }}>
          <View lang={consentDocument.locale}>
            <Heading>{title}</Heading>
          </View>
          <Fact name={t('consentColumnNeed')} value={t(required ? 'consentNeeded' : 'consentChoice')} />
          <Fact name={t('consentColumnOften')} value={t(often.key, { n: often.n })} />
          {language.code !== consentDocument.locale && <Soft>{t('consentFrom')}</Soft>}
          <View lang={consentDocument.locale}>
            <Body>{text}</Body>
          </View>
        </View>
      ))}
      <Soft>{t(config.sideView.recording ? 'consentClips' : 'consentNoClips', { org: org.name })}</Soft>
    </Card>
  )
}

/** A name and what it says, once for all of it. */
const Term = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <View>
    <Heading>{name}</Heading>
    <Soft>{text}</Soft>
  </View>
)

/** Who asks, what is collected, how long it is kept and who can see it; then yes or no, the one as easy as the other. */
export const ConsentScreen = ({ state, actions }: ScreenProps<'consent'>) => {
  const { t, language } = useTexts()
  const { styles } = useTheme()
  const welcome = useBrand()?.welcome
  const { org, session, consentDocument } = state.pairing
  const who = { org: org.name, when: useAppointment(session) ?? '' }
  const required = consentDocument.lanes.some((lane) => lane.required)
  return (
    <>
      <Title>{t('consentTitle')}</Title>
      <Body>{t(who.when ? 'consentWho' : 'consentWhoUndated', who)}</Body>
      {welcome !== undefined && (
        <Card>
          <Body>{welcome}</Body>
          <Soft>– {org.name}</Soft>
        </Card>
      )}
      {state.changed && <Notice>{t('consentChanged')}</Notice>}
      <Part pairing={state.pairing} />
      <Term name={t('consentKept')} text={t('consentKeptText', { ...who, days: consentDocument.retentionDays })} />
      <Term name={t('consentReaders')} text={t('consentReadersText', who)} />
      {consentDocument.notice?.map((text) => (
        <Body key={text}>{text}</Body>
      ))}
      <Body>
        {t(required ? 'consentRequired' : 'consentOptional')} {t('consentStop')}
      </Body>
      {state.problem && <Notice>{t('consentNotDelivered')}</Notice>}
      <View style={styles.buttons}>
        {/* Both look the same: neither answer is the expected one. */}
        {([true, false] as const).map((accepted) => (
          <View key={String(accepted)} style={styles.half}>
            <Button
              label={t(accepted ? 'consentAgree' : 'consentDecline')}
              disabled={state.busy}
              onPress={() => actions.answer(accepted, language.code)}
            />
          </View>
        ))}
      </View>
    </>
  )
}
