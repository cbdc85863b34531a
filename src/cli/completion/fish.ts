import { FILE_FLAGS, type Option, pathsOf, valuedFlags, type Words } from './words.ts';

export function fishScript(words: Words): string {
  const { options, verbs, operations } = words;
  const lines = [
    '# What completes stockbridge in fish. Once: stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish',
    '',
    lineFunctions(words),
    '',
    'complete -c stockbridge -f',
    ...options.map((option) => optionLine(option, null)),
    ...verbs.map(({ name, summary }) => wordLine('', name, summary)),
    ...pathsOf(verbs).flatMap(([path, verb]) => [
      ...verb.options.map((option) => optionLine(option, path)),
      ...verb.verbs.map(({ name, summary }) => wordLine(path, name, summary)),
    ]),
    ...operations.map(({ id, summary }) => wordLine('api', id, summary)),
  ];
  return lines.join('\n');
}

/** Functions that tell what is on the line, and what an operation takes. */
function lineFunctions(words: Words): string {
  const valued = valuedFlags(words).join(' ');
  const nested = words.verbs.filter(({ verbs }) => verbs.length > 0).map(({ name }) => name);
  return `# The verb with what belongs to it, of api with the operation.
function __stockbridge_path
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${valued}
            set skip 1
        else if not string match -q -- '-*' $word
            switch "$path"
                case ''
                    set path $word
                case ${nested.join(' ')} api
                    set path "$path $word"
            end
        end
    end
    echo $path
end
function __stockbridge_is
    test (__stockbridge_path) = "$argv"
end
function __stockbridge_in
    string match -q -- "$argv*" (__stockbridge_path)
end
function __stockbridge_params
    switch (__stockbridge_path)
${words.operations
  .filter(({ params }) => params.length > 0)
  .map(({ id, params }) => `        case 'api ${id}'\n            printf '%s=\\n' ${params.join(' ')}`)
  .join('\n')}
    end
end
function __stockbridge_files
    set -l typed (commandline -ct)
    if string match -q -- '*=*' $typed
        set -l field (string split -m 1 = $typed)
        for path in (__fish_complete_path $field[2])
            echo "$field[1]=$path"
        end
        return
    end
    switch (__stockbridge_path)
${words.operations
  .filter(({ files }) => files.length > 0)
  .map(({ id, files }) => `        case 'api ${id}'\n            printf '%s=\\n' ${files.join(' ')}`)
  .join('\n')}
    end
end`;
}

function wordLine(path: string, name: string, summary: string): string {
  return `complete -c stockbridge -n '__stockbridge_is ${path}' -a ${name} -d ${quoted(summary)}`;
}

function optionLine({ flag, summary, takesValue }: Option, path: string | null): string {
  const where = path === null ? '' : ` -n '__stockbridge_in ${path}'`;
  return `complete -c stockbridge${where} -l ${flag.slice(2)}${valueOf(flag, takesValue)} -d ${quoted(summary)}`;
}

function valueOf(flag: string, takesValue: boolean): string {
  if (FILE_FLAGS.includes(flag)) return ' -r -F';
  if (flag === '--param') return " -x -a '(__stockbridge_params)'";
  if (flag === '--file') return " -x -a '(__stockbridge_files)'";
  return takesValue ? ' -x' : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
