import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { MessagePage as SharedMessagePage, Shell } from '@integrity/shared-ui/web/shell'
import { Visited } from '@integrity/shared-ui/web/visited'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { OpenAccess } from '../../browser/open-access.ts'
import type { AccessText } from '../../texts/access.ts'
import { AskPage } from './ask-page.tsx'
import { InvitePage } from './invite-page.tsx'

const MessagePage = SharedMessagePage<AccessText>

interface Props {
  readonly access: OpenAccess
  /** There was something behind the `#` of the address that is no link. */
  readonly broken: boolean
}

const contentOf = ({ access: { call, invite, desk }, broken }: Props): ReactNode => {
  if (broken) return <MessagePage title="wrongTitle" text="wrongText" />
  if (invite)
    return (
      <Visited visit={invite.visit}>{(facts) => <InvitePage call={call} token={invite.token} facts={facts} />}</Visited>
    )
  if (!desk) return null
  const closed = <MessagePage title="shutTitle" text="shutText" />
  return <Visited visit={desk}>{({ open }) => (open ? <AskPage call={call} /> : closed)}</Visited>
}

const never = () => () => {}

/** Where an organisation is asked for, and opened by its first owner. */
export const AccessPage = (props: Props) => {
  const { desk } = props.access
  useSyncExternalStore(desk?.subscribe ?? never, () => desk?.state)
  const otherwise = !desk || props.broken ? 'helpInviter' : desk.facts?.open ? 'helpRequest' : 'helpManager'
  return <Shell footer={<HelpLine otherwise={otherwise} />}>{contentOf(props)}</Shell>
}
