import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { mount } from '@integrity/shared-ui/web/mount'
import { MessagePage, Shell } from '@integrity/shared-ui/web/shell'
import { arrive } from '../../browser/arrive.ts'
import { openInvitation } from '../../browser/open-invitation.ts'
import type { InvitationText } from '../../texts/invitation.ts'
import { invitationLanguages } from '../../texts/invitation.ts'
import { InvitationPage } from './invitation-page.tsx'

const open = () => {
  const link = arrive('invitation')
  if (link === 'leaving') return null
  if (typeof link === 'object') return <InvitationPage invitation={openInvitation(link)} />
  const why = link === 'none' ? 'none' : 'wrong'
  return (
    <Shell footer={<HelpLine />}>
      <MessagePage<InvitationText> title={`${why}Title`} text={`${why}Text`} />
    </Shell>
  )
}

mount({ languages: invitationLanguages, content: open() })
