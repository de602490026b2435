import { View } from 'react-native'
import { Button } from '../components/button.tsx'
import { Contact } from '../components/contact.tsx'
import { Body, Card, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { useBrand } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { ScreenProps } from './screen.props.ts'

/** Who asks, what is collected, how long it is kept and who can see it; then yes or no, the one as easy as the other. */
export const ConsentScreen = ({ state, actions }: ScreenProps<'consent'>) => {
  const { t, language } = useTexts()
  const { styles } = useTheme()
  const welcome = useBrand()?.welcome
  const { org, session, consentDocument, config } = state.pairing
  const who = { org: org.name, candidate: session.candidateLabel ?? '' }
  const required = consentDocument.lanes.some((lane) => lane.required)
  return (
    <>
      <Title>{t('consentTitle')}</Title>
      <Body>{t(session.candidateLabel ? 'consentWho' : 'consentWhoNobody', who)}</Body>
      {welcome !== undefined && (
        <Card>
          <Body>{welcome}</Body>
          <Soft>– {org.name}</Soft>
        </Card>
      )}
      {state.changed && <Notice>{t('consentChanged')}</Notice>}
      <Card>
        <Heading>{t('consentWhat')}</Heading>
        {consentDocument.lanes.map((lane) => (
          <View key={lane.lane} lang={consentDocument.locale}>
            <Body>{lane.text}</Body>
          </View>
        ))}
        {language.code !== consentDocument.locale && <Soft>{t('consentLanguage')}</Soft>}
        <Body>{t(config.sideView.recording ? 'consentClips' : 'consentNoClips', who)}</Body>
      </Card>
      <Card>
        <Heading>{t('consentNothing')}</Heading>
        <Body>{t('consentNothingText')}</Body>
        <Heading>{t('consentKept')}</Heading>
        <Body>{t('consentKeptText', { ...who, days: consentDocument.retentionDays })}</Body>
        <Heading>{t('consentReaders')}</Heading>
        <Body>{t('consentReadersText', who)}</Body>
        <Contact org={org.name} />
      </Card>
      <Body>{t(required ? 'consentRequired' : 'consentOptional')}</Body>
      <Body>{t('consentStop')}</Body>
      {state.problem && <Notice>{t('consentNotDelivered')}</Notice>}
      <View style={styles.buttons}>
        {([false, true] as const).map((accepted) => (
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
