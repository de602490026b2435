import type { HttpOut } from '../http-out/http-out.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import type { Announcement, Chat } from './types.ts'

/** Hosts of workflows; another one could be anybody's. */
const hosts = /(?:^|\.)(?:logic\.azure\.com|environment\.api\.powerplatform\.com)$/

export const isWorkflowHost = (hostname: string): boolean => hosts.test(hostname.toLowerCase())

/** The only channel: the workflow's own. */
export const workflowChannel = 'workflow'

const cardOf = ({ text, link }: Announcement) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text: text.replaceAll(/([\\`*_[\]()#<>~])/g, '\\$1'), wrap: true }],
        actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
      },
    },
  ],
})

/** A workflow of Microsoft Teams that posts what it is sent. What it says is that it was taken, not that it was posted. */
export const createTeams = (http: Pick<HttpOut, 'request'>): Chat => ({
  channels: () => Promise.resolve([]),
  async post({ secret }, _channelId, announcement) {
    const { status } = await askProvider(http, 'Teams', {
      method: 'POST',
      url: secret,
      body: JSON.stringify(cardOf(announcement)),
      headers: { 'content-type': 'application/json' },
    })
    if (status === 401 || status === 403)
      throw new ProviderFailed('ends', 'the workflow does not take this address any more')
    if (status === 404 || status === 410) throw new ProviderFailed('ends', 'the workflow is gone or switched off')
    if (status >= 300) throw new ProviderFailed('refused', `the workflow refuses it (${status})`)
  },
  // Only its owner can delete it.
  revoke: () => Promise.resolve(false),
})
