import type { ReadResult } from '../../../data/desk-api.ts'

export type Chat = ReadResult<'portal.chat.list'>['items'][number]

export type News = Chat['events'][number]

export const chatWordsOf = ({ channel, events, reviewThreshold, showCandidateLabel, version }: Chat) => ({
  channelId: channel?.id ?? '',
  events: events.join(' '),
  threshold: reviewThreshold === null ? '' : String(reviewThreshold),
  showLabel: showCandidateLabel ? 'yes' : '',
  // The version that the writer has seen: the service refuses to write over another's.
  base: String(version),
})
export type ChatWords = ReturnType<typeof chatWordsOf>

/** Empty for none. What is no number becomes one that the service refuses, so that its words stand at the field. */
const thresholdOf = (text: string): number | null =>
  text.trim() === '' ? null : Number.isInteger(Number(text)) ? Number(text) : 0

/** What changes, and nothing else: a channel that was not chosen anew stays. */
export const chatChangeOf = (words: ChatWords, { channel }: Chat) => ({
  ...(words.channelId === '' || words.channelId === channel?.id ? {} : { channelId: words.channelId }),
  events: words.events.split(' ').filter((name) => name !== '') as News[],
  reviewThreshold: thresholdOf(words.threshold),
  showCandidateLabel: words.showLabel === 'yes',
  expectedVersion: Number(words.base),
})
