import { mount } from '@integrity/shared-ui/web/mount'
import { arrive } from '../../browser/arrive.ts'
import { openInvite } from '../../browser/open-invite.ts'
import { inviteLanguages } from '../../texts/invite.ts'
import { InvitePage } from './invite-page.tsx'

const open = () => {
  const link = arrive('invite')
  if (link === 'leaving') return null
  return <InvitePage open={typeof link === 'object' ? openInvite(link) : undefined} />
}

mount({ languages: inviteLanguages, content: open() })
