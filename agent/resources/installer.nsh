; A link in an invitation opens the program from the first minute, before it was ever started.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\integrity-agent" "" "URL:Interview Integrity"
  WriteRegStr SHELL_CONTEXT "Software\Classes\integrity-agent" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\integrity-agent\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\integrity-agent"
!macroend
