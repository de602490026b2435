import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { MessagePage as SharedMessagePage, Shell } from '@integrity/shared-ui/web/shell'
import type { PasswordCall } from '../../session/password-api.ts'
import type { PasswordText } from '../../texts/password.ts'
import { AskPage } from './ask-page.tsx'
import { SetPage } from './set-page.tsx'

const MessagePage = SharedMessagePage<PasswordText>

interface Props {
  readonly call: PasswordCall
  readonly token: string | undefined
  /** There was something behind the `#` of the address that is no link. */
  readonly broken: boolean
}

const contentOf = ({ call, token, broken }: Props) => {
  if (broken) return <MessagePage title="wrongTitle" text="wrongText" />
  return token === undefined ? <AskPage call={call} /> : <SetPage call={call} token={token} />
}

/** Where people have a link sent, and set a password with it. */
export const PasswordPage = (props: Props) => (
  <Shell footer={<HelpLine otherwise="helpManager" />}>{contentOf(props)}</Shell>
)
