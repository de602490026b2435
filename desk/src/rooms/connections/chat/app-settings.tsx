import { ChoiceField, LineField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { type NamedField, TheirValues } from '../../../parts/their-values.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { useSettingsDraft } from '../../../parts/use-settings-draft.ts'
import { useTheirs } from '../../../parts/use-theirs.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Tick } from '../parts/tick.tsx'
import { type Chat, type ChatWords, chatChangeOf, chatWordsOf, type News } from './chat-words.ts'

interface FieldsProps {
  readonly words: ChatWords
  readonly at: (path: string) => string | undefined
  readonly change: (part: Partial<ChatWords>) => void
}

const ChannelField = ({ chat, words, at, change }: FieldsProps & { readonly chat: Chat }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const channels = useEndpoint('portal.chat.channels', { params: { orgId: org.id, integrationId: chat.id } })
  return (
    <Loaded question={channels}>
      {({ items }) => (
        <ChoiceField
          name="channelId"
          label={t('connectionsChannel')}
          help={t('connectionsChannelHelp')}
          value={words.channelId}
          options={[
            { value: '', label: t('connectionsNoChannel') },
            ...items.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(channelId) => change({ channelId })}
          error={at('channelId')}
        />
      )}
    </Loaded>
  )
}

const EventFields = ({ announced, words, at, change }: FieldsProps & { readonly announced: readonly News[] }) => {
  const { t } = useLanguage()
  const chosen = words.events.split(' ')
  const set = (name: string, on: boolean) =>
    change({ events: announced.filter((one) => (one === name ? on : chosen.includes(one))).join(' ') })
  return (
    <>
      <fieldset>
        <legend>{t('connectionsAnnounced')}</legend>
        {announced.map((name) => (
          <Tick
            key={name}
            label={t(`connectionsNews.${name}`)}
            checked={chosen.includes(name)}
            onChange={(on) => set(name, on)}
          />
        ))}
      </fieldset>
      <LineField
        name="threshold"
        label={t('connectionsThreshold')}
        help={t('connectionsThresholdHelp')}
        value={words.threshold}
        onChange={(threshold) => change({ threshold })}
        error={at('reviewThreshold')}
        optional
        maxLength={6}
      />
      <Tick
        label={t('connectionsShowLabel')}
        checked={words.showLabel === 'yes'}
        onChange={(on) => change({ showLabel: on ? 'yes' : '' })}
      />
    </>
  )
}

/** The fields in the words of the form; `now`: how the app is set, which knows its channel by name. */
const useNamedFields = (now: Chat): readonly NamedField[] => {
  const { t } = useLanguage()
  const names = (list: string) => list.split(' ').filter(Boolean) as News[]
  return [
    {
      name: 'channelId',
      label: t('connectionsChannel'),
      show: (id) => (id === now.channel?.id ? now.channel.name : id),
    },
    {
      name: 'events',
      label: t('connectionsAnnounced'),
      show: (list) =>
        names(list)
          .map((name) => t(`connectionsNews.${name}`))
          .join(', '),
    },
    { name: 'threshold', label: t('connectionsThreshold') },
    { name: 'showLabel', label: t('connectionsShowLabel'), show: (on) => t(on === 'yes' ? 'theirsOn' : 'theirsOff') },
  ]
}

/** Where an app posts and what it announces. */
export const AppSettings = ({ chat }: { readonly chat: Chat }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const capabilities = useEndpoint('portal.chat.capabilities', { params: { orgId: org.id } })
  const draft = useSettingsDraft(`chat ${chat.id}`, chatWordsOf(chat))
  const attempt = useAttempt('portal.chat.list')
  const theirs = useTheirs(draft, chatWordsOf(chat), 'base')
  const named = useNamedFields(chat)
  const save = () =>
    attempt.attempt(() => {
      const update = async () => {
        const params = { orgId: org.id, integrationId: chat.id }
        const { data } = await own.call('portal.chat.update', { params, body: chatChangeOf(draft.words, chat) })
        draft.settle(chatWordsOf(data))
        theirs.settle(chatWordsOf(data))
      }
      return theirs.guard(update, async () => {
        const { items } = (await own.call('portal.chat.list', { params: { orgId: org.id }, query: {} })).data
        return chatWordsOf(items.find(({ id }) => id === chat.id) ?? chat)
      })
    })
  const fields = { words: draft.words, at: attempt.at, change: draft.change }
  return (
    <Section title={t('connectionsSettings')}>
      <SettingsForm
        of={attempt}
        theirs={<TheirValues met={theirs.met} words={draft.words} fields={named} onChange={draft.change} />}
        fields={['channelId', 'reviewThreshold']}
        submit={t('connectionsSave')}
        done={t('connectionsSaved')}
        onSubmit={save}
      >
        {chat.provider === 'slack' ? <ChannelField chat={chat} {...fields} /> : null}
        <Loaded question={capabilities}>
          {({ items }) => (
            <EventFields
              announced={items.find(({ provider }) => provider === chat.provider)?.events ?? []}
              {...fields}
            />
          )}
        </Loaded>
      </SettingsForm>
    </Section>
  )
}
