import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { ProblemCode } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'

const aboutCode: readonly ProblemCode[] = ['code_malformed', 'code_not_valid', 'link_not_ours']
const aboutServer: readonly ProblemCode[] = ['server_malformed', 'server_not_https']

interface FieldProps {
  readonly value: string
  readonly wrong: boolean
  readonly onChange: (value: string) => void
}

const ServerField = ({ value, wrong, onChange }: FieldProps) => {
  const { t } = useLanguage()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('serverLabel')}</label>
      <input
        id={id}
        type="text"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
        value={value}
        aria-invalid={wrong}
        aria-describedby={`${id}hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}hint`} className="small">
        {t('serverHint')}
      </p>
    </div>
  )
}

const CodeForm = () => {
  const { t } = useLanguage()
  const { state, problem, send, busy } = useAgent()
  const [code, setCode] = useState(state.code ?? '')
  const [server, setServer] = useState(state.server ?? '')
  const [empty, setEmpty] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const wrongServer = aboutServer.some((name) => name === problem?.code)
  const [other, setOther] = useState(!state.server)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = code.trim()
    setEmpty(typed === '')
    if (typed === '') return input.current?.focus()
    // Only an address that somebody typed: the known one may have more to it than its text.
    const given = server.trim()
    return send('session.join', { code: typed, ...(given !== '' && given !== state.server ? { server: given } : {}) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor={id}>{t('codeLabel')}</label>
        <input
          ref={input}
          id={id}
          className="code"
          type="text"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={2000}
          value={code}
          aria-invalid={empty || aboutCode.some((name) => name === problem?.code)}
          aria-describedby={`${id}hint`}
          onChange={(event) => setCode(event.target.value)}
        />
        <p id={`${id}hint`} className="small">
          {t(state.code ? 'codeFromLink' : 'codeText')}
        </p>
        {/* A link chose this address: it is read before anything goes there. */}
        {state.server && !other ? <p>{t('codeServer', { server: state.server })}</p> : null}
      </div>
      <AlertNotice>{empty ? <p>{t('codeEmpty')}</p> : null}</AlertNotice>
      <details open={other || wrongServer} onToggle={(event) => setOther(event.currentTarget.open)}>
        <summary>{t('codeOther')}</summary>
        <ServerField value={server} wrong={wrongServer} onChange={setServer} />
      </details>
      <Actions>
        <Button type="submit" kind="main" busy={busy('session.join')}>
          {t('codeGo')}
        </Button>
      </Actions>
    </form>
  )
}

/** A join code is awaited; a link fills it in. */
export const CodePage = () => {
  const { t } = useLanguage()
  const { code, server } = useAgent().state
  return (
    <Page title={t('codeTitle')}>
      <ProblemNotice />
      <p>{t('codeNothingYet')}</p>
      <CodeForm key={`${server ?? ''} ${code ?? ''}`} />
    </Page>
  )
}
