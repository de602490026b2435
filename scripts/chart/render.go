// Renders a Helm chart with the engine that Helm has, Go's text/template: standard input has {values, release, chart}, the
// argument is the folder of the templates, and standard output gets {file: text}. The functions beside the engine's own are
// those that the chart uses and no others, so that one which the chart begins to use fails here until somebody adds it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"text/template"
)

func isEmpty(value any) bool {
	truth, _ := template.IsTrue(value)
	return !truth
}

func inJson(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(out.String())
}

// A block of one level whose values are JSON, which is YAML.
func toYaml(value any) string {
	lines := []string{}
	switch given := value.(type) {
	case map[string]any:
		for name, inner := range given {
			lines = append(lines, inJson(name)+": "+inJson(inner))
		}
		sort.Strings(lines)
	case []any:
		for _, inner := range given {
			lines = append(lines, "- "+inJson(inner))
		}
	}
	if len(lines) == 0 {
		return inJson(value)
	}
	return strings.Join(lines, "\n")
}

func nindent(spaces int, text string) string {
	pad := "\n" + strings.Repeat(" ", spaces)
	return pad + strings.ReplaceAll(text, "\n", pad)
}

func dict(pairs ...any) (map[string]any, error) {
	made := map[string]any{}
	if len(pairs)%2 != 0 {
		return nil, errors.New("dict: a name without a value")
	}
	for at := 0; at < len(pairs); at += 2 {
		made[pairs[at].(string)] = pairs[at+1]
	}
	return made, nil
}

func functions(set *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, about any) (string, error) {
			var out bytes.Buffer
			err := set.ExecuteTemplate(&out, name, about)
			return out.String(), err
		},
		"required": func(why string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, errors.New(why)
			}
			return value, nil
		},
		"fail":    func(why string) (string, error) { return "", errors.New(why) },
		"quote":   func(value any) string { return strconv.Quote(fmt.Sprint(value)) },
		"toYaml":  toYaml,
		"nindent": nindent,
		"dict":    dict,
		"list":    func(values ...any) []any { return values },
		// Helm reads numbers of the values as float64, too.
		"int": func(value float64) int { return int(value) },
		"default": func(otherwise any, value any) any {
			if isEmpty(value) {
				return otherwise
			}
			return value
		},
	}
}

func render(folder string) (map[string]string, error) {
	var given struct{ Values, Release, Chart map[string]any }
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return nil, err
	}
	// A value that values.yaml does not have is a slip of the pen.
	set := template.New("chart").Option("missingkey=error")
	set.Funcs(functions(set))
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	if _, err := set.ParseFiles(files...); err != nil {
		return nil, err
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		about := map[string]any{"Values": given.Values, "Release": given.Release, "Chart": given.Chart}
		if err := set.ExecuteTemplate(&out, name, about); err != nil {
			return nil, err
		}
		rendered[name] = out.String()
	}
	return rendered, nil
}

func main() {
	rendered, err := render(os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(rendered)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
